/* <generator>
     <handlers init="start" initGet="a" doGet="b" doPost="c" doPostIn="d" doPostOut="e"/>
     <properties persistence="volatile" interaction="rest" channel="news"/>
     <content-types><content-type type="text/plain"/></content-types>
   </generator> */
