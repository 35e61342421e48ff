CREATE TABLE item (
    id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(100) NOT NULL,
    price DECIMAL(8, 2),
    added DATETIME DEFAULT '2026-01-02 03:04:05'
);
INSERT INTO item (name, price) VALUES ('lamp', 12.5), ('chair; with arms', 99), ('table', NULL);
